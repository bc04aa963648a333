import ts from 'typescript'
import { collect, type Remark } from '../source/syntax.ts'

const STOP = 4

/** Style B.5: beyond four, parameters are an object with names. */
export function fewParameters(file: ts.SourceFile): Remark[] {
  return collect(file, (node) => {
    if (!ts.isFunctionLike(node) || node.parameters.length <= STOP) return undefined
    return `takes ${node.parameters.length} parameters; a function stops at ${STOP}.`
  })
}
