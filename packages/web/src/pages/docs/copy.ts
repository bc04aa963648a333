export const copy = {
  title: 'Documentation',
  backToHome: 'Back to Home',
  backToAdmin: 'Back to Admin',
  loading: 'Loading documentation...',
  gettingStarted: 'Getting Started',
  apiReference: 'API Reference',
  userGuide: 'User Guide',
  architecture: 'Architecture',
  deployment: 'Deployment',
  apps: {
    trading: 'Trading API',
    admin: 'Admin database API',
    database: 'Database management',
  },
  /** DOCS-12: the address that this console uses, not the default port. */
  titleWithAddress: (title: string, address: string) => `${title}, ${address}`,
  columns: { call: 'Call', summary: 'What it does', role: 'Role', kind: 'Kind' },
  origins: { specified: 'Console', documented: 'Compatibility', ours: 'Extension' },
  withCapability: (capability: string) => `Extension: ${capability}`,
  example: {
    title: 'Example',
    request: 'Request body',
    reply: (status: number) => `Reply ${status}`,
    file: (types: string) => `A file: ${types}`,
  },
  contentsOf: (file: string) => `Contents of ${file}`,
}
