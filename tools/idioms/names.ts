const BANNED = ['util', 'utils', 'helper', 'helpers', 'common', 'manager', 'managers', 'misc', 'info']
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/

/** Names of files and folders: kebab-case, and none of the vague ones (style 4). */
export function checkNames(paths: readonly string[]): string[] {
  return paths.flatMap((path) => [
    ...path
      .split('/')
      .map(stem)
      .filter(isVague)
      .map((name) => `${path}: '${name}' says nothing; name what the file holds.`),
    ...(KEBAB.test(path.split('/').at(-1) ?? '') ? [] : [`${path}: file names are kebab-case.`]),
  ])
}

function stem(part: string): string {
  return part.split('.')[0] ?? part
}

function isVague(name: string): boolean {
  const last = name.split('-').at(-1) ?? name
  return BANNED.includes(name) || last === 'helpers' || last === 'utils' || /-part-\d+$/.test(name)
}
