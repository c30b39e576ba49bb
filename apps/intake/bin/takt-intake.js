#!/usr/bin/env -S node --max-old-space-size=96 --max-semi-space-size=4
import '../dist/src/main.js';
