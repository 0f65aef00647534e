"""The experiments of the why lab, one file each."""
