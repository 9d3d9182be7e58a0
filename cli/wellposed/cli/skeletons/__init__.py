"""Starting points for authors: sources put together from small parts, well-posed as they are written."""
