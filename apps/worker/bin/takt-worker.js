#!/usr/bin/env -S node --max-semi-space-size=16
// In MB. The young generation that Node.js 20 has by itself: later ones let it grow to twice as much.
import '../dist/src/main.js';
