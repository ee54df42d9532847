"""Decision trees, and what can be read off them."""

from dissensus.tree._c45 import C45Classifier
from dissensus.tree._conditions import Condition
from dissensus.tree._export_graphviz import export_graphviz
from dissensus.tree._export_rules import Rule, RuleSet, export_rules
from dissensus.tree._export_text import export_text
from dissensus.tree._tree import Tree

__all__ = [
    "C45Classifier",
    "Condition",
    "Rule",
    "RuleSet",
    "Tree",
    "export_graphviz",
    "export_rules",
    "export_text",
]
