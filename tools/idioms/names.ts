const BANNED = ['util', 'utils', 'helper', 'helpers', 'common', 'manager', 'managers', 'misc', 'info']
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/

/** Style B.4: a file or folder says what it is, in kebab-case. */
export function checkNames(paths: readonly string[]): string[] {
  return paths.flatMap((path) => [
    ...path
      .split('/')
      .map(stem)
      .filter(isDrawer)
      .map((name) => `${path}: '${name}' is a drawer, not a name; say what the thing is.`),
    ...(KEBAB.test(path.split('/').at(-1) ?? '') ? [] : [`${path}: file names are kebab-case.`]),
  ])
}

function stem(part: string): string {
  return part.split('.')[0] ?? part
}

function isDrawer(name: string): boolean {
  const last = name.split('-').at(-1) ?? name
  return BANNED.includes(name) || last === 'helpers' || last === 'utils' || /-part-\d+$/.test(name)
}
