"""What all layers share: files, memory, threads, texts, private names of others."""
