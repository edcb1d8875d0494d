"""All pages: their contents and the actions of their widgets."""
