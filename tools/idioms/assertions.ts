import ts from 'typescript'
import { collect, type Remark } from '../source/syntax.ts'
import { isTest } from '../source/tree.ts'

/**
 * `as` overrules the compiler, so a comment on its line or directly above gives the reason (style 4).
 * Tests pass wrong values on purpose and are exempt.
 */
export function assertionsSayWhy(file: ts.SourceFile): Remark[] {
  if (isTest(file.fileName)) return []
  const lines = file.text.split('\n')
  const hasComment = (line: number) => /(^|\s)(\/\/|\/\*|\*|\{\/\*)/.test(lines[line] ?? '')
  return collect(file, (node) => {
    if (!isAssertion(node)) return undefined
    const own = new Set([lineAt(file, node.getEnd()), lineAt(file, node.getStart(file))])
    const above = [...own, lineAt(file, statementOf(node).getStart(file))].map((line) => line - 1)
    const isExplained = [...own].some(hasComment) || above.some((line) => isCommentLine(lines[line]))
    return isExplained ? undefined : `asserts '${textOfType(node)}' without a comment that says why.`
  })
}

function isAssertion(node: ts.Node): node is ts.AsExpression | ts.TypeAssertion {
  if (!ts.isAsExpression(node) && !ts.isTypeAssertionExpression(node)) return false
  return !ts.isConstTypeReference(node.type)
}

function textOfType(node: ts.AsExpression | ts.TypeAssertion): string {
  return `as ${node.type.getText()}`
}

function isCommentLine(line: string | undefined): boolean {
  return /^\s*(\/\/|\/\*|\*|\{\/\*)/.test(line ?? '')
}

function lineAt(file: ts.SourceFile, position: number): number {
  return file.getLineAndCharacterOfPosition(position).line
}

function statementOf(node: ts.Node): ts.Node {
  return (
    ts.findAncestor(node, (ancestor) => ts.isStatement(ancestor) || ts.isPropertyAssignment(ancestor)) ?? node
  )
}
