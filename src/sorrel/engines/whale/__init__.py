"""WHALE: contracts of procedures from interpolants over under-approximations of them."""
