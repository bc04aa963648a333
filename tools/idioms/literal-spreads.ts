import ts from 'typescript'
import { collect, type Remark } from '../source/syntax.ts'

/** A spread of a literal says nothing that its fields do not say, and V8 copies it (style 5). */
export function literalSpreads(file: ts.SourceFile): Remark[] {
  return collect(file, (node) =>
    (ts.isSpreadAssignment(node) || ts.isJsxSpreadAttribute(node)) &&
    ts.isObjectLiteralExpression(node.expression)
      ? 'spreads an object literal; list its fields.'
      : undefined,
  )
}
