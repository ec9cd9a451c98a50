"""Functional programs: types that exclude what is forbidden, runs that do it, and types on their own."""
