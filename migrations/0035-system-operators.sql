-- A role for people who operate the whole installation. They see the events of a company that is registered later, and of
-- companies that do not exist, without a change of their rights.
INSERT INTO takt.roles (role, duties, description) VALUES
  ('system-operator',
    '{read-production-times,read-error-messages,read-application-versions,read-persons,operate-queues,operate-all-companies}',
    'an operator who sees the events of all companies, also of those that are registered later or not at all');
