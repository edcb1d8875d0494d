"""The paper kit to print: ladders, die, lid's label and board, with pictures of how to use them."""
