"""What the papers share: parts, published numbers, claims, and their run."""
