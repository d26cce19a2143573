"""What a page of a free-for-all says, part by part."""
