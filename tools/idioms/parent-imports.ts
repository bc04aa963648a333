import ts from 'typescript'
import { collect, type Remark } from '../source/syntax.ts'

/** Sources of a package name files of other folders from its root, so that a moved file keeps its imports (style 4). */
export function parentImports(file: ts.SourceFile): Remark[] {
  if (!/^packages\/\w+\/src\//.test(file.fileName)) return []
  return collect(file, (node) =>
    (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) &&
    node.moduleSpecifier?.getText().slice(1).startsWith('../')
      ? "imports from a folder above; write '#folder/file.ts'."
      : undefined,
  )
}
