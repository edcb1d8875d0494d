"""Many tables: the feed to an MQTT 5 broker, and the page that shows all tables of a prefix."""
