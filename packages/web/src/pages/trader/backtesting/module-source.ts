import type { CodeError } from '#ui/code/code-editor.tsx'

/** Members by the names that callbacks of a module use, from the types of its API. */
export function membersOf(types: string): Readonly<Record<string, readonly string[]>> {
  const of = (name: string) => {
    const [, body = ''] = new RegExp(`export interface ${name} \\{(.*?)\\n\\}`, 's').exec(types) ?? []
    return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[(:]/gm)].map(([, member = '']) => member)
  }
  return { desk: of('Desk'), bar: of('Bar'), quote: of('Quote') }
}

/** EDIT-5: a failed run names the place in its sentence: '… (mine.ts:3)'. */
export function errorOfRun(sentence: string | null | undefined, module: string): CodeError | undefined {
  if (!sentence?.includes(module)) return undefined
  const [, file, line] = /\(([^():\s]+):(\d+)\)/.exec(sentence) ?? []
  return { message: sentence, line: file === module ? Number(line) : null }
}

/** 'mine.ts', or the next one that is free. */
export function freeName(taken: readonly string[]): string {
  for (let nth = 1; ; nth++) {
    const name = nth === 1 ? 'mine.ts' : `mine-${nth}.ts`
    if (!taken.includes(name)) return name
  }
}
