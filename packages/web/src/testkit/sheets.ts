/**
 * Once for each document: a worker keeps its own over all files. The sheets of the toaster and the editor are about their
 * looks; jsdom would match their rules against every element found.
 */
export function keepSheetsOut(head: HTMLHeadElement): void {
  if (Object.hasOwn(head, 'appendChild')) return
  const { appendChild, insertBefore } = head
  Object.assign(head, {
    appendChild: (node: Node) => appendChild.call(head, withoutRules(node)),
    insertBefore: (node: Node, next: Node | null) => insertBefore.call(head, withoutRules(node), next),
  })
}

function withoutRules(node: Node): Node {
  if (node instanceof HTMLStyleElement) node.type = 'text/plain'
  return node
}
