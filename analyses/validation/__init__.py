"""Measurement of the coverage of each registered method, by trials on synthetic data with known truth."""
