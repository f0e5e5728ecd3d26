#pragma once
struct Plan;
Plan sample();
