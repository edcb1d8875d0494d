"""Many tables: the feed to a broker of messages (MQTT 5), and the page that shows all tables of a prefix."""
