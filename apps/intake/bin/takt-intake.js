#!/usr/bin/env -S node --max-old-space-size=160 --max-semi-space-size=16
import '../dist/src/main.js';
