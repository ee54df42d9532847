"""MACLEN: members that predict the class together with one of the attributes."""
