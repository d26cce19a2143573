"""Content of the page of a free-for-all, part by part."""
