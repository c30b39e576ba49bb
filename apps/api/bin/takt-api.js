#!/usr/bin/env -S node --max-old-space-size=160 --max-semi-space-size=8
// In MB. Its limits on what clients may hold need a third of that; V8 would rather grow than collect, to 270 MB under attack.
import '../dist/src/main.js';
