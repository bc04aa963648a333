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
    trading: 'Trading API, port 8000',
    admin: 'Admin database API, port 8001',
    database: 'Database management, port 8002',
  },
  origins: {
    specified: 'used by the console',
    documented: 'for other clients',
    ours: 'of every Binnacle server',
  },
  withCapability: (capability: string) => `with capability ${capability}`,
}
