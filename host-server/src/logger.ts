import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino';

const SECRET_FIELDS = [
  'password',
  'confirm_password',
  'old_password',
  'password_hash',
  'token',
  'access_token',
  'refresh_token',
  'oauth_token',
  'api_key',
  'client_secret',
  'secret',
  'secret_access_key',
  'authorization',
  'cookie',
  'connectionString',
];

/** Structured logs, one JSON object a line; whatever is named like a secret is cut out, at the top and up to two levels down. */
export const createLogger = (level: LevelWithSilent, destination?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
        censor: '[secret]',
      },
    },
    destination ?? pino.destination(2),
  );
