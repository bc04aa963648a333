import ts from 'typescript'
import { descendants, lineOf } from '../source/syntax.ts'

export interface NamePlace {
  name: string
  isType: boolean
  line: number
}

export interface TextPlace {
  text: string
  line: number
}

/** Every name the file declares: variables, functions, types, members, parameters, private names, aliases. */
export function declaredNames(file: ts.SourceFile): NamePlace[] {
  return descendants(file).flatMap((node) => {
    const name = declaredName(node)
    return name === undefined ? [] : [{ name, isType: isTypeDeclaration(node), line: lineOf(file, node) }]
  })
}

/** Every string, template and JSX text of the file, without the paths of imports and names of members. */
export function writtenTexts(file: ts.SourceFile): TextPlace[] {
  return descendants(file).flatMap((node) => {
    if (!isText(node) || isModulePath(node) || isMemberName(node)) return []
    return [{ text: node.text, line: lineOf(file, node) }]
  })
}

type Text = ts.StringLiteral | ts.NoSubstitutionTemplateLiteral | ts.TemplateLiteralToken | ts.JsxText

function isText(node: ts.Node): node is Text {
  return (
    ts.isStringLiteral(node) ||
    ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node) ||
    ts.isJsxText(node)
  )
}

function isModulePath({ parent }: ts.Node): boolean {
  return (
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    ts.isExternalModuleReference(parent) ||
    (ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword)
  )
}

function isMemberName(node: ts.Node): boolean {
  return 'name' in node.parent && node.parent.name === node
}

function declaredName(node: ts.Node): string | undefined {
  if (ts.isImportSpecifier(node) || ts.isExportSpecifier(node)) {
    return node.propertyName === undefined ? undefined : node.name.text
  }
  if (!isDeclaration(node) || node.name === undefined) return undefined
  const { name } = node
  const isPlain = ts.isIdentifier(name) || ts.isPrivateIdentifier(name) || ts.isStringLiteral(name)
  return isPlain ? name.text : undefined
}

function isDeclaration(node: ts.Node) {
  return (
    isTypeDeclaration(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isBindingElement(node) ||
    ts.isParameter(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertySignature(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isMethodSignature(node) ||
    ts.isAccessor(node) ||
    ts.isNamespaceImport(node) ||
    ts.isNamedTupleMember(node)
  )
}

function isTypeDeclaration(node: ts.Node) {
  return (
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isTypeParameterDeclaration(node)
  )
}
