import type { Generated } from 'kysely';
import type { FeedbackStatus } from '../model/feedback.ts';

interface FeedbackPostsTable {
  client_id: string;
  id: Generated<string>;
  author_id: string | null;
  author_name: string;
  title: string;
  details: Generated<string>;
  status: Generated<FeedbackStatus>;
  answer: Generated<string>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

interface FeedbackVotesTable {
  client_id: string;
  post_id: string;
  user_id: string;
}

declare module '../../platform/server/database.ts' {
  interface Database {
    feedback_posts: FeedbackPostsTable;
    feedback_votes: FeedbackVotesTable;
  }
}
