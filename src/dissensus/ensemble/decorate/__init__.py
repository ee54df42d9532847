"""DECORATE: members that learn from invented examples, labelled against the others."""
