"""Decision trees, and what can be read off them."""

from dissensus.tree._answers import path as path
from dissensus.tree._c45 import C45Classifier
from dissensus.tree._class_weights import ClassWeights as ClassWeights
from dissensus.tree._conditions import (
    Condition,
    NamedTree as NamedTree,
    check_count as check_count,
    number_text as number_text,
    plain as plain,
    read_tree as read_tree,
)
from dissensus.tree._export_graphviz import export_graphviz
from dissensus.tree._export_rules import Rule, RuleSet, export_rules
from dissensus.tree._export_text import export_text
from dissensus.tree._growing import (
    ExtraTask as ExtraTask,
    check_growth as check_growth,
    cut_back as cut_back,
    gains_in_mean as gains_in_mean,
    numbered as numbered,
)
from dissensus.tree._tree import (
    LEAF as LEAF,
    MULTIWAY as MULTIWAY,
    NUMERIC as NUMERIC,
    ONE_VALUE as ONE_VALUE,
    Tree,
)

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
