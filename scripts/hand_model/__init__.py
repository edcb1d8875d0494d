"""The builder of the rendered hand, which the package brings ready made: ``scripts/build-hand`` builds it anew."""
