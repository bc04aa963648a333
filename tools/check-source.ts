import { checkEnginePurity, impuritiesIn } from './check-engine-purity.ts'
import { checkIdioms, remarksOn } from './check-idioms.ts'
import { checkWords, type Finding, inSource } from './check-words.ts'
import { conclude } from './findings.ts'
import { ROOT } from './launch/project.mjs'
import { parse } from './source/syntax.ts'
import { sourceFiles } from './source/tree.ts'

// Parsing all files takes longer than the three checks.
const remarks: string[] = []
const words: Finding[] = []
const impurities: string[] = []
for (const path of sourceFiles(ROOT)) {
  const file = parse(ROOT, path)
  remarks.push(...remarksOn(file))
  words.push(...inSource(file))
  impurities.push(...impuritiesIn(file))
}
conclude('idioms', checkIdioms(ROOT, remarks))
conclude('words', checkWords(ROOT, words))
conclude('engine', checkEnginePurity(ROOT, impurities))
