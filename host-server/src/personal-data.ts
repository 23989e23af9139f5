import { accountPersonalData } from '@breakwater/core/accounts/server/index.ts';
import { auditPersonalData } from '@breakwater/core/audit/server/index.ts';
import { connectorPersonalData } from '@breakwater/core/connectors/server/index.ts';
import { feedbackPersonalData } from '@breakwater/core/feedback/server/index.ts';
import { findingPersonalData } from '@breakwater/core/findings/server/index.ts';
import { ingestPersonalData } from '@breakwater/core/ingest/server/index.ts';
import { notificationPersonalData } from '@breakwater/core/notifications/server/index.ts';
import { mailPersonalData } from '@breakwater/core/platform/server/mail/erase-mails.ts';
import type { PersonalData } from '@breakwater/core/platform/server/personal-data.ts';
import { repositoryPersonalData } from '@breakwater/core/repositories/server/index.ts';
import { sessionPersonalData } from '@breakwater/core/session/server/index.ts';
import { singleSignOnPersonalData } from '@breakwater/core/single-sign-on/server/index.ts';
import { teamPersonalData } from '@breakwater/core/team/server/index.ts';

/** Every slice that keeps something about people, in the order of the document that they download. A test reads every table for what was forgotten. */
export const PERSONAL_DATA: readonly PersonalData[] = [
  sessionPersonalData,
  teamPersonalData,
  singleSignOnPersonalData,
  accountPersonalData,
  notificationPersonalData,
  mailPersonalData,
  findingPersonalData,
  ingestPersonalData,
  repositoryPersonalData,
  connectorPersonalData,
  feedbackPersonalData,
  auditPersonalData,
];
