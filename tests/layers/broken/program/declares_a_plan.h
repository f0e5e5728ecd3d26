class Plan;
