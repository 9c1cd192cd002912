export PATH=$PWD/node_modules/.bin:$PATH
node --test --test-name-pattern='driver|imports|circle|table is|packages|short enough|exported name|Markdown|npm run docs' test/house.test.ts 2>&1 | grep -E "^✖|^ℹ (pass|fail)|^  \[|Error|^ *['+-]" | head -40
