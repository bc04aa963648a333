import ts from 'typescript'
import { collect, type Remark } from '../source/syntax.ts'

/**
 * Sources of a package name files of other folders from its root, so that a moved file keeps its imports (style 4).
 * Elsewhere one folder up is allowed.
 */
export function parentImports(file: ts.SourceFile): Remark[] {
  const banned = /^packages\/\w+\/src\//.test(file.fileName) ? '../' : '../../'
  return collect(file, (node) =>
    (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) &&
    node.moduleSpecifier?.getText().slice(1).startsWith(banned)
      ? "imports from a folder above; write '#folder/file.ts'."
      : undefined,
  )
}
