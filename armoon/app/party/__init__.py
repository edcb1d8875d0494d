"""A party at the table: its server and page, the broker, and the book of the evening."""
