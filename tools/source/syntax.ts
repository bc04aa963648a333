import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** The syntax tree of one file, without looking at any other. */
export function parse(root: string, path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true)
}

export interface Remark {
  found: string
  line: number
}

/** What `find` has to say about each node of the file. */
export function collect(file: ts.SourceFile, find: (node: ts.Node) => string | undefined): Remark[] {
  const results: Remark[] = []
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
