#!/usr/bin/env -S node --max-old-space-size=160 --max-semi-space-size=8
// In MB. Its own limits need a third of that; without this one V8 grows to 270 MB under attack instead of collecting.
import '../dist/src/main.js';
