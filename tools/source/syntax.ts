import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** The syntax tree of one file, without looking at any other. */
export function parse(root: string, path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true)
}

/** What `find` makes of every node of the file. */
export function collect<Found>(
  file: ts.SourceFile,
  find: (node: ts.Node) => Found | undefined,
): { found: Found; line: number }[] {
  const results: { found: Found; line: number }[] = []
  const visit = (node: ts.Node) => {
    const found = find(node)
    if (found !== undefined) results.push({ found, line: lineOf(file, node) })
    node.forEachChild(visit)
  }
  visit(file)
  return results
}

function lineOf(file: ts.SourceFile, node: ts.Node): number {
  return file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1
}
