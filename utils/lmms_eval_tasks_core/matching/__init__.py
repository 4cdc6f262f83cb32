"""Which option a response means, where rules cannot tell."""
