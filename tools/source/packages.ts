import packages from './packages.json' with { type: 'json' }

export interface Package {
  folder: string
  mayImport: readonly string[]
}

/** The npm workspaces and their allowed dependencies (style 2). `.dependency-cruiser.cjs` reads the same table. */
export const PACKAGES: Readonly<Record<string, Package>> = packages

export function packageOf(path: string): string | undefined {
  return Object.keys(PACKAGES).find((name) => path.startsWith(`${PACKAGES[name]?.folder}/`))
}
