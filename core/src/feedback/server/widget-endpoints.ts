import { SignJWT } from 'jose';
import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { type Caller, callerEndpoint, type Endpoint, publicEndpoint } from '../../platform/server/endpoint.ts';
import { generateCannyToken, getFeedbackOptions, reportUsage } from '../api/widget-routes.ts';
import type { CannyConfig, FeedbackDeps } from './deps.ts';

const NOT_CONFIGURED = msg(
  'Feedback by Canny is not configured on this server. Its operator sets CANNY_PRIVATE_KEY and CANNY_BOARD_TOKEN.',
);

/** What Canny is told of a person. Source: its page "Single sign-on: generate tokens", 2026-11. */
const tokenFor = ({ privateKey }: CannyConfig, { userId, username, email }: Caller): Promise<string> =>
  new SignJWT({ id: userId, name: username, email })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(privateKey));

/** Canny's widget, and what is reported of pages that are opened. */
export const widgetEndpoints = ({ canny, usage }: FeedbackDeps): Endpoint[] => [
  publicEndpoint(getFeedbackOptions)(() => ({
    data: {
      canny: canny === undefined ? null : { script_url: `${canny.origin}/sdk.js`, board_token: canny.boardToken },
      measures_usage: usage !== undefined,
    },
  })),
  callerEndpoint(generateCannyToken)(async ({ caller }) => {
    if (canny === undefined) throw new AppError('integration_not_configured', NOT_CONFIGURED);
    return { success: true, data: { token: await tokenFor(canny, caller) } };
  }),
  callerEndpoint(reportUsage)(({ body }) => {
    usage?.report({ page: body.page, from: body.from, visit: body.visit });
    return { success: true };
  }),
];
