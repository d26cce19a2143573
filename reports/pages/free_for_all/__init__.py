"""Content of a page of a free-for-all, part by part."""
