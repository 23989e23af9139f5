/** Words of rule ids that are written in their own way. */
const OWN_SPELLING: Readonly<Record<string, string>> = {
  api: 'API',
  arn: 'ARN',
  aws: 'AWS',
  ci: 'CI',
  cors: 'CORS',
  cpu: 'CPU',
  csrf: 'CSRF',
  csrfmiddleware: 'CSRF middleware',
  csurf: 'CSRF',
  css: 'CSS',
  dns: 'DNS',
  dom: 'DOM',
  ebs: 'EBS',
  ec2: 'EC2',
  ecb: 'ECB',
  formatstring: 'format string',
  gcm: 'GCM',
  hmac: 'HMAC',
  html: 'HTML',
  http: 'HTTP',
  https: 'HTTPS',
  iam: 'IAM',
  ip: 'IP',
  json: 'JSON',
  jwt: 'JWT',
  kms: 'KMS',
  ldap: 'LDAP',
  md5: 'MD5',
  noent: 'entity expansion',
  nosql: 'NoSQL',
  os: 'OS',
  rds: 'RDS',
  regexp: 'regular expression',
  replaceall: 'replaceAll',
  res: 'response',
  rsa: 'RSA',
  s3: 'S3',
  sendfile: 'sendFile',
  sha1: 'SHA-1',
  sql: 'SQL',
  sqli: 'SQL injection',
  ssh: 'SSH',
  ssl: 'SSL',
  ssrf: 'SSRF',
  ssti: 'template injection',
  tls: 'TLS',
  uri: 'URI',
  url: 'URL',
  vm: 'VM',
  vpc: 'VPC',
  xml: 'XML',
  xss: 'XSS',
  xxe: 'XXE',
  yaml: 'YAML',
};

/** "non literal" is one word. */
const joined = (words: string): string => words.replaceAll(/\bnon (?=[a-z])/g, 'non-');

/** Verbs of a linter that say nothing about what it found. */
const VERB = /^(?:detected|detect|audit|check|avoid) /;

/**
 * Rule ids such as `javascript.express.audit.express-open-redirect` end with what they are about. Names with capitals are no such ids: of
 * ClamAV's `Win.Test.EICAR_HDB-1.UNOFFICIAL` the end says nothing.
 */
export const ruleWords = (rule: string): string => {
  const plain = rule
    .slice(rule.lastIndexOf('.') + 1)
    .replaceAll(/[-_]+/g, ' ')
    .trim();
  if (plain === '') return rule;
  const words = joined(plain.replace(VERB, ''))
    .split(' ')
    .map((word) => OWN_SPELLING[word] ?? word)
    .join(' ');
  return `${words[0]?.toUpperCase()}${words.slice(1)}`;
};

/** Whether a name is such an id, of small letters with points. */
export const isRulePath = (name: string): boolean => /^[a-z\d_-]+(?:\.[a-z\d_-]+)+$/.test(name);
