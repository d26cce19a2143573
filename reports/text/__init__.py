"""Answers in words: numbers, sentences, and for each command its document and its lines."""
