import { checkDependencies, readImports } from './check-dependencies.ts'
import { checkMap } from './draw-map.ts'
import { conclude } from './findings.ts'
import { ROOT } from './launch/project.mjs'

// Reading the imports of all files takes longer than both checks.
const imports = readImports(ROOT)
conclude('dependencies', await checkDependencies(ROOT, imports))
conclude('map', await checkMap(ROOT, imports))
