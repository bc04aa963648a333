import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** Parses one file on its own, without types. */
export function parse(root: string, path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true)
}

export interface Remark {
  found: string
  line: number
}

/** The remarks that `find` makes on the nodes of the file. */
export function collect(file: ts.SourceFile, find: (node: ts.Node) => string | undefined): Remark[] {
  return descendants(file).flatMap((node) => {
    const found = find(node)
    return found === undefined ? [] : [{ found, line: lineOf(file, node) }]
  })
}

/** All nodes below this one, in source order; those below a node that `isClosed` names are left out. */
export function descendants(node: ts.Node, isClosed: (node: ts.Node) => boolean = () => false): ts.Node[] {
  const found: ts.Node[] = []
  const visit = (child: ts.Node) => {
    if (isClosed(child)) return
    found.push(child)
    child.forEachChild(visit)
  }
  node.forEachChild(visit)
  return found
}

export function lineOf(file: ts.SourceFile, node: ts.Node): number {
  return file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1
}
